#define DNA_SCALAR
#include "dna_hand.c"
