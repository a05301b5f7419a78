// Commands that are words of this one, as `sortie prepare`, and programs of their own: they are started in its place.
// Called by main() before anything else.
#pragma once

#include <span>

namespace sortie::cli {

/// Starts the program that the first word names, with the words behind it, and does not return. Does nothing if the
/// word names none, or under the name `sort`. Throws Error if the program is not there.
void hand_over(std::span<char*> arguments);

}  // namespace sortie::cli
