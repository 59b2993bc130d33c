// The part of PocketSphinx that VoiceGate uses, without its variadic calls and its configuration type, so that one
// shim can serve the 0.8 and the 5.x interfaces.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct vg_decoder vg_decoder;

// A segment of a hypothesis. Frames are 10 ms, counted from the utterance's first sample.
typedef struct {
    const char *word;   // Valid until the decoder's next call.
    int first;
    int last;
    double posterior;
} vg_segment;

// Levels as in sphinxbase's err_lvl_t: 0 debug, 1 information, 2 its continuation, 3 warning, 4 error, 5 fatal.
typedef void (*vg_log_handler)(int level, const char *line);

// Sends the library's log, of the whole process, to the handler; it is called on the thread that logs.
void vg_decoder_log(vg_log_handler handler);

// NULL when the library refuses. On some damaged models the library ends the process instead.
vg_decoder *vg_decoder_open(int count, char *const arguments[]);
void vg_decoder_close(vg_decoder *decoder);

enum { vg_most_coefficients = 64 };

// Sets the cepstral mean of the microphone, learnt from this many frames of speech. Before the first utterance. Negative when
// the model has another number of coefficients.
int vg_decoder_set_mean(vg_decoder *decoder, const float values[], int count, double frames);

// The mean of what was fed since the decoder was opened, and its number of frames. Returns the number of coefficients.
int vg_decoder_mean(vg_decoder *decoder, float values[vg_most_coefficients], double *frames);

// An utterance while it is spoken: `end` runs the later passes. 0, or negative when the library reports an error.
int vg_decoder_begin(vg_decoder *decoder);
int vg_decoder_feed(vg_decoder *decoder, const int16_t *samples, size_t count);
int vg_decoder_end(vg_decoder *decoder);

// An utterance as a whole: begins, decodes with the mean of all its frames, and ends.
int vg_decoder_whole(vg_decoder *decoder, const int16_t *samples, size_t count);

// The text so far, or that of the ended utterance, or NULL. Valid until the decoder's next call.
const char *vg_decoder_text(vg_decoder *decoder);

// Calls the handler for each segment of the ended utterance, including silences and noises.
void vg_decoder_segments(vg_decoder *decoder, void *context, void (*handler)(void *context, const vg_segment *segment));

// Decodes with the language model again. 0, or negative.
int vg_decoder_expect_anything(vg_decoder *decoder);

// How well the last utterance fits its decoding, in nats for each frame of 10 ms; comparable between decodings of the same
// samples only. 0, or negative when it fits nothing.
int vg_decoder_fit(vg_decoder *decoder, double *fit);

// The rest of the interface, by purpose.
#include "grammar.h"
#include "memory_file.h"
#include "words.h"
