// The client library of PostgreSQL, as its own documentation describes it.
#ifndef SIGHTLINE_CPOSTGRESQL_H
#define SIGHTLINE_CPOSTGRESQL_H
#include <libpq-fe.h>
#endif
