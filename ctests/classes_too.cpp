// A second unit that includes blosc2.hpp.
#include <blosc2.hpp>

// The first half of an array of two-byte items, along its first axis.
blosc2::Array half_of(const blosc2::Array &array) {
  blosc2::Index stop = array.shape();
  stop[0] /= 2;
  const auto items = array.get<std::int16_t>(blosc2::Index(stop.size(), 0), stop);
  return blosc2::Array::from<std::int16_t>({stop, array.chunkshape(), array.blockshape()}, items);
}
