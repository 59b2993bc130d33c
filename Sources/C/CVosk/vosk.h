// Declarations of the part of Vosk's C API that CVosk.c uses, for libvosk 0.3.45. All objects are opaque, and results are text,
// so no structure has to agree with the library.
#pragma once

// X(name, result, parameters)
#define VOSK_FUNCTIONS(X)                                                                                              \
    X(vosk_set_log_level, void, (int level))                                                                           \
    X(vosk_model_new, void *, (const char *folder))                                                                    \
    X(vosk_model_free, void, (void *model))                                                                            \
    X(vosk_model_find_word, int, (void *model, const char *word))                                                      \
    X(vosk_recognizer_new, void *, (void *model, float rate))                                                          \
    X(vosk_recognizer_new_grm, void *, (void *model, float rate, const char *grammar))                                 \
    X(vosk_recognizer_set_max_alternatives, void, (void *recognizer, int count))                                       \
    X(vosk_recognizer_set_words, void, (void *recognizer, int wanted))                                                 \
    X(vosk_recognizer_accept_waveform_s, int, (void *recognizer, const short samples[], int count))                    \
    X(vosk_recognizer_result, const char *, (void *recognizer))                                                        \
    X(vosk_recognizer_partial_result, const char *, (void *recognizer))                                                \
    X(vosk_recognizer_final_result, const char *, (void *recognizer))                                                  \
    X(vosk_recognizer_free, void, (void *recognizer))
