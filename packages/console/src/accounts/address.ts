/**
 * The address of an account, from the address of the console. The number is in the query: in a path, browsers would take `..` for
 * a folder, and some proxies a slash.
 */
export const accountAddress = (root: string, supplier: string, number: string): string =>
  `${root}accounts/account/?${new URLSearchParams({ supplier, number }).toString()}`
