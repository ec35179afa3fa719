// Readers and writers, one folder per format.
