import type { AddressInfo } from 'node:net'

// Addresses that mean "every interface" are no place to connect to.
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Where the server can be reached from this machine, such as `http://127.0.0.1:8080`. */
export const serverAddress = ({ address, family, port }: AddressInfo): string => {
  const host = reachable[address] ?? (family === 'IPv6' ? `[${address}]` : address)
  return `http://${host}:${port}`
}
