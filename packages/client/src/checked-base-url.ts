/**
 * The address of a service without the slashes at its end. Throws a TypeError for what cannot be one: no request could ever be
 * answered.
 */
export const checkedBaseUrl = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not the address of a service, such as https://import.example/imports')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError(
      'baseUrl has a query, a fragment or credentials; it is an address with a base path alone',
    )
  return baseUrl.replace(/\/+$/, '')
}
