// libsndfile and libsamplerate have plain C interfaces; nothing is wrapped.
#pragma once
#include <samplerate.h>
#include <sndfile.h>
