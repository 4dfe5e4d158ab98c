#include "CFetch.h"

#include <netinet/in.h>
#include <string.h>

/// A block of addresses: those that begin with the first bits of `bytes`.
struct block {
  uint8_t bytes[6];
  int bits;
};

static int is_in(const uint8_t *address, const struct block *block) {
  for (int bit = 0; bit < block->bits; bit += 8) {
    int left = block->bits - bit;
    uint8_t mask = left >= 8 ? 0xff : (uint8_t)(0xff << (8 - left));
    if ((address[bit / 8] ^ block->bytes[bit / 8]) & mask) return 0;
  }
  return 1;
}

static int is_public_4(const uint8_t *address) {
  static const struct block others[] = {
    {{0}, 8},           {{10}, 8},         {{100, 64}, 10},   {{127}, 8},
    {{169, 254}, 16},   {{172, 16}, 12},   {{192, 0, 0}, 24}, {{192, 0, 2}, 24},
    {{192, 88, 99}, 24}, {{192, 168}, 16}, {{198, 18}, 15},   {{198, 51, 100}, 24},
    {{203, 0, 113}, 24}, {{224}, 4},       {{240}, 4},
  };
  for (size_t index = 0; index < sizeof others / sizeof *others; index++) {
    if (is_in(address, &others[index])) return 0;
  }
  return 1;
}

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static int is_public_6(const uint8_t *address) {
  // Addresses that have one of IPv4 in them: mapped, translated (RFC 6052) and 6to4 (RFC 3056).
  static const uint8_t translated[12] = {0, 0x64, 0xff, 0x9b};
  static const struct block six_to_four = {{0x20, 0x02}, 16};
  if (memcmp(address, mapped, 12) == 0 || memcmp(address, translated, 12) == 0) {
    return is_public_4(address + 12);
  }
  if (is_in(address, &six_to_four)) return is_public_4(address + 2);
  // Protocols such as Teredo, and documentation.
  static const struct block protocols = {{0x20, 0x01, 0}, 23};
  static const struct block documentation = {{0x20, 0x01, 0x0d, 0xb8}, 32};
  static const struct block documentation_too = {{0x3f, 0xff, 0}, 20};
  static const struct block unicast = {{0x20}, 3};
  return is_in(address, &unicast) && !is_in(address, &protocols)
    && !is_in(address, &documentation) && !is_in(address, &documentation_too);
}

int drawml_reach_has(enum drawml_reach reach, const struct sockaddr *address) {
  static const uint8_t loopback[16] = {[15] = 1};
  if (address->sa_family == AF_INET) {
    struct sockaddr_in *found = (struct sockaddr_in *)address;
    const uint8_t *bytes = (const uint8_t *)&found->sin_addr;
    return reach == drawml_reach_all
      || (reach == drawml_reach_public ? is_public_4(bytes) : bytes[0] == 127);
  }
  if (address->sa_family == AF_INET6) {
    struct sockaddr_in6 *found = (struct sockaddr_in6 *)address;
    const uint8_t *bytes = (const uint8_t *)&found->sin6_addr;
    return reach == drawml_reach_all
      || (reach == drawml_reach_public
            ? is_public_6(bytes)
            : memcmp(bytes, loopback, 16) == 0
              || (memcmp(bytes, mapped, 12) == 0 && bytes[12] == 127));
  }
  return 0;
}
