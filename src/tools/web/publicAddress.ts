import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not public: this computer, private and local networks, carriers' networks, examples, multicast,
 * reserved addresses. Source: the IANA registries of special-purpose addresses (RFC 6890). The IPv6 networks for
 * translation (`64:ff9b::`, `2002::`, `2001::`) can lead to a private IPv4 address, so they are listed, too.
 */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// Two lists: in one list, the IPv6 network of all IPv4 addresses (`::ffff:0:0`) would match each IPv4 address.
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of NOT_PUBLIC) {
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  blocked[family].addSubnet(network, prefix, family);
}

/** Whether an IP address belongs to the public internet. False for a text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  // A zone, such as `%eth0`, exists only for local addresses.
  const version = address.includes('%') ? 0 : isIP(address);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return version !== 0 && !blocked[family].check(address, family);
}
