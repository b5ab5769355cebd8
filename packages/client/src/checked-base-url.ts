/** `localhost`, 127.0.0.0/8 and [::1]; a URL writes numeric addresses in one form only. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether key and accounts would cross a network unencrypted on their way to this address. */
export const isPlainHttpBeyondLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !loopback.test(hostname)
}

/**
 * The address of a service without the slashes at its end. Throws a TypeError for what cannot be one, as no request could ever
 * be answered, and for plain HTTP to another machine unless that is allowed.
 */
export const checkedBaseUrl = (baseUrl: string, allowPlainHttp: boolean): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not the address of a service, such as https://import.example/imports')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError(
      'baseUrl has a query, a fragment or credentials; it is an address with a base path alone',
    )
  if (!allowPlainHttp && isPlainHttpBeyondLoopback(baseUrl))
    throw new TypeError(
      'baseUrl is plain http:// to another machine, which would show the API key to the network; use https://, or allowPlainHttp',
    )
  return baseUrl.replace(/\/+$/, '')
}
