#ifndef DRAWML_CMPI_H
#define DRAWML_CMPI_H

#include <mpi.h>
#include <stddef.h>

// MPI's constants are macros that cast addresses, which Swift does not import. All processes are one
// group; a function returns MPI_SUCCESS or a code for `drawml_mpi_error`.

/// Joins the processes that the launcher started; calls may come from any thread, one at a time.
static inline int drawml_mpi_start(void) {
  int level = MPI_THREAD_SINGLE;
  int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
  if (code != MPI_SUCCESS) return code;
  if (level < MPI_THREAD_SERIALIZED) return MPI_ERR_OTHER;
  return MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

static inline int drawml_mpi_rank(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline int drawml_mpi_rank_count(void) {
  int count = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

static inline int drawml_mpi_send(
  const void *bytes, int count, int rank, int tag, MPI_Request *request) {
  return MPI_Isend(bytes, count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, request);
}

static inline int drawml_mpi_receive(
  void *bytes, int count, int rank, int tag, MPI_Request *request) {
  return MPI_Irecv(bytes, count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, request);
}

/// Gathers `count` bytes of each rank in `all`, on every rank.
static inline int drawml_mpi_gather(const void *own, int count, void *all, MPI_Request *request) {
  return MPI_Iallgather(own, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD, request);
}

/// Replaces bytes by those of a rank.
static inline int drawml_mpi_broadcast(void *bytes, int count, int rank, MPI_Request *request) {
  return MPI_Ibcast(bytes, count, MPI_BYTE, rank, MPI_COMM_WORLD, request);
}

static inline int drawml_mpi_test(MPI_Request *request, int *is_done) {
  return MPI_Test(request, is_done, MPI_STATUS_IGNORE);
}

/// Writes what a code means to `text`, which has room for MPI_MAX_ERROR_STRING characters.
static inline void drawml_mpi_error(int code, char *text) {
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) text[0] = 0;
}

static inline void drawml_mpi_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

#endif
