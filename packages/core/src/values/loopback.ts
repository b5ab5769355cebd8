const names = /^(?:.+\.)?localhost\.?$/i
const addresses = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1|(?:0{1,4}:){7}0{0,3}1)$/i

/** Whether a host name, or an address with or without brackets, means the machine itself: what goes there, no network sees. */
export const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, '')
  return names.test(bare) || addresses.test(bare)
}
