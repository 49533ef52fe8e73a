// Calls a function of the library for many numbers: a call from Python costs a microsecond, and there are hundreds of millions.
extern "C" {
void each(int (*function)(unsigned), unsigned count, int *results) {
  for (unsigned n = 0; n < count; ++n)
    results[n] = function(n);
}
// `as`: the number to ask about instead of each.
void eachOf(int (*function)(const void *, unsigned), const void *object, unsigned count, const unsigned *as, int *results) {
  for (unsigned n = 0; n < count; ++n)
    results[n] = function(object, as[n]);
}
void eachSecond(int (*function)(unsigned, unsigned), unsigned second, unsigned count, int *results) {
  for (unsigned n = 0; n < count; ++n)
    results[n] = function(n, second);
}
void eachPairOf(unsigned (*function)(const void *, unsigned, unsigned), const void *object, unsigned first, unsigned count,
                unsigned *results) {
  for (unsigned n = 1; n < count; ++n)
    results[n] = function(object, first, n);
}
}
