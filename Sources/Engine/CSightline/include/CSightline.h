// C declarations that the engine needs on every platform, without importing a platform's C library:
// the elementary functions of libm, and (in WebAssembly) nothing else. SightlineMath is the only importer.
#ifndef CSIGHTLINE_H
#define CSIGHTLINE_H

double sin(double);
double cos(double);
double tan(double);
double asin(double);
double acos(double);
double atan(double);
double atan2(double, double);
double exp(double);
double log(double);
double pow(double, double);
double hypot(double, double);
double fmod(double, double);

#endif
