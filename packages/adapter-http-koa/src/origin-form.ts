const absolute = /^https?:\/\/([^/?#]+)(.*)$/i

/**
 * The path and query that a request target asks for (RFC 9112, section 3.2): a target that names a scheme and a host too, as for a
 * proxy, is the same request. Undefined for a target that has no path.
 */
export const originForm = (target: string): string | undefined => {
  if (target.startsWith('/')) return target
  const [, authority = '', rest = ''] = absolute.exec(target) ?? []
  if (!URL.canParse(`http://${authority}/`)) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}
