// Exponential, logarithm, power and the remainder of large angles by short series, where the C library has tables that hardly
// compress: 12 kB in a file that uses all of them. Linked before libc. Tests/Wasm/support.test.mjs says how exact they are.
#include <stdint.h>

double fmod(double, double);

// In two parts: the former times a whole number below 2^21 is exact.
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33, LN2 = 0x1.62e42fefa39efp-1;

static double power_of_two(int exponent) {
  union { uint64_t bits; double value; } it = {(uint64_t)(1023 + exponent) << 52};
  return it.value;
}

// 2^exponent · e^(high − low), where high − low is at most ln 2 / 2 from 0: Taylor's series up to the 13th power.
static double exponential(double high, double low, int exponent) {
  static const double terms[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                 1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2};
  double r = high - low, series = 0;
  for (unsigned n = 0; n < sizeof terms / sizeof *terms; n++) series = series * r + terms[n];
  // In two steps, so that results below the normal ones come out.
  int half = exponent / 2;
  return (1 + (high - (low - series * r * r))) * power_of_two(half) * power_of_two(exponent - half);
}

double exp(double x) {
  if (x != x) return x;
  if (x > 710) return __builtin_inf();
  if (x < -746) return 0;
  double times = __builtin_floor(x / LN2 + 0.5);
  return exponential(x - times * LN2_HIGH, times * LN2_LOW, (int)times);
}

double exp2(double x) {
  if (x != x) return x;
  if (x > 1024) return __builtin_inf();
  if (x < -1076) return 0;
  double whole = __builtin_floor(x + 0.5);
  return exponential((x - whole) * LN2, 0, (int)whole);
}

// With s = f / (2 + f), log(1 + f) = 2 artanh(s) = 2 s + 2/3 s³ + 2/5 s⁵ …, and 2 s = f − s f.
double log(double x) {
  if (!(x > 0)) return x == 0 ? -__builtin_inf() : __builtin_nan("");
  if (x == __builtin_inf()) return x;
  int exponent = -1023;
  if (x < 0x1p-1022) x *= 0x1p54, exponent -= 54;
  union { double value; uint64_t bits; } it = {x};
  exponent += (int)(it.bits >> 52);
  it.bits = (it.bits & 0xfffffffffffff) | 1023ull << 52;
  if (it.value > 1.4142135623730951) it.value /= 2, exponent++;
  static const double terms[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3};
  double f = it.value - 1, s = f / (2 + f), square = s * s, half = f * f / 2, series = 0;
  for (unsigned n = 0; n < sizeof terms / sizeof *terms; n++) series = series * square + terms[n];
  return exponent * LN2_HIGH - ((half - (s * (half + series * square) + exponent * LN2_LOW)) - f);
}

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  int isWhole = exponent == __builtin_trunc(exponent);
  // By squaring, so that powers which are whole numbers are exact.
  if (isWhole && __builtin_fabs(exponent) <= 1024) {
    double power = 1;
    for (int left = (int)__builtin_fabs(exponent); left; left >>= 1, base *= base) {
      if (left & 1) power *= base;
    }
    return exponent < 0 ? 1 / power : power;
  }
  if (base < 0) {
    if (!isWhole) return __builtin_nan("");
    double size = exp(exponent * log(-base));
    return exponent / 2 == __builtin_trunc(exponent / 2) ? size : -size;
  }
  return exp(exponent * log(base));
}

// Of an angle of a million turns and more, x[0] · 2^e0 + x[1] · 2^(e0 − 24) + x[2] · 2^(e0 − 48): the quarter turns modulo 4, and in
// y what remains. 2π as a double is off by less than the angle itself is uncertain by: the sine is that of an angle within
// half a unit of the last place.
int __rem_pio2_large(double *x, double *y, int e0, int count, int precision) {
  (void)precision;
  double angle = 0;
  for (int i = count - 1; i >= 0; i--) angle = angle * 0x1p-24 + x[i];
  int half = e0 / 2;
  double rest = fmod(angle * power_of_two(half) * power_of_two(e0 - half), 0x1.921fb54442d18p2);
  double quarters = __builtin_floor(rest * 0x1.45f306dc9c883p-1 + 0.5);
  y[0] = rest - quarters * 0x1.921fb54442d18p0;
  y[1] = 0;
  return (int)quarters & 3;
}
