// For files in which no angle is beyond a million turns: the C library's tables for reducing larger ones take 4 kB compressed. There the
// remainder is 0, so that sine and cosine stay numbers. Linked before libm.
int __rem_pio2_large(double *x, double *y, int e0, int count, int precision) {
  (void)x, (void)e0, (void)count;
  for (int i = 0; i < (precision == 0 ? 1 : precision == 3 ? 3 : 2); i++) y[i] = 0;
  return 0;
}
