const names = /^(?:.+\.)?localhost\.?$/i
const addresses = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|(?:0{1,4}:){7}0{0,3}1)$/i

/** The host of a URL, without the brackets of an IPv6 address. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether a host name, or an address with or without brackets, is the machine itself, so that no network sees the traffic. */
export const isLoopback = (host: string): boolean => {
  const bare = withoutBrackets(host)
  return names.test(bare) || addresses.test(bare)
}

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const groupsOnly = /^[0-9a-f:]{2,39}$/i

/** Addresses are shorter; the text of a proxy in place of an address may be longer. */
const mostCharacters = 64

const groupsIn = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/** The first four groups of an IPv6 address without leading zeros, or `undefined` for any other text. */
const firstHalf = (text: string): readonly string[] | undefined => {
  const parts = text.split('::')
  const [head = [], tail = []] = parts.map(groupsIn)
  const missing = 8 - head.length - tail.length
  if (parts.length > 2 || (parts.length === 1 ? missing !== 0 : missing < 1)) return undefined
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
}

/**
 * The network of an address for counts: an IPv4 address itself, also in IPv6 form, and the /64 of any other IPv6 address, as a
 * single customer has that many. A text that is no address is its own network, cut to 64 characters.
 */
export const networkOf = (address: string): string => {
  const [bare = ''] = address.split('%')
  if (ipv4.test(bare)) return bare
  const inside = mapped.exec(bare)?.[1]
  if (inside !== undefined) return inside
  const half = groupsOnly.test(bare) ? firstHalf(bare) : undefined
  return half === undefined ? address.slice(0, mostCharacters) : `${half.join(':')}::/64`
}
