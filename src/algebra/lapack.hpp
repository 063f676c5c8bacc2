#pragma once
#include <cstddef>

// The routines of LAPACK and the BLAS that are used, as Fortran compilers name them: every argument by address, matrices by
// columns, and the lengths of texts at the end.
extern "C" {
void dgetc2_(const int* n, double* A, const int* lda, int* row_swaps, int* column_swaps, int* info);
void dgesc2_(const int* n, const double* A, const int* lda, double* b, const int* row_swaps, const int* column_swaps,
             double* scale);
void dgeqp3_(const int* m, const int* n, double* A, const int* lda, int* columns, double* tau, double* work, const int* lwork,
             int* info);
void dtzrzf_(const int* m, const int* n, double* A, const int* lda, double* tau, double* work, const int* lwork, int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const double* A, const int* lda,
             const double* tau, double* C, const int* ldc, double* work, const int* lwork, int* info, std::size_t, std::size_t);
void dormrz_(const char* side, const char* trans, const int* m, const int* n, const int* k, const int* l, const double* A,
             const int* lda, const double* tau, double* C, const int* ldc, double* work, const int* lwork, int* info, std::size_t,
             std::size_t);
void dtrtrs_(const char* uplo, const char* trans, const char* diag, const int* n, const int* nrhs, const double* A,
             const int* lda, double* b, const int* ldb, int* info, std::size_t, std::size_t, std::size_t);
void dgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* B, const int* ldb, const double* beta, double* C, const int* ldc,
            std::size_t, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* A, const int* lda, double* B, const int* ldb, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t);
void dpotri_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* A, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);
void dsygvd_(const int* itype, const char* jobz, const char* uplo, const int* n, double* A, const int* lda, double* B,
             const int* ldb, double* w, double* work, const int* lwork, int* iwork, const int* liwork, int* info, std::size_t,
             std::size_t);
void dgeev_(const char* jobvl, const char* jobvr, const int* n, double* A, const int* lda, double* wr, double* wi, double* vl,
            const int* ldvl, double* vr, const int* ldvr, double* work, const int* lwork, int* info, std::size_t, std::size_t);
}
