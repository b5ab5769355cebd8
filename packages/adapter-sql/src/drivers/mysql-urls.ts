import { mysqlParameters } from './mysql-parameters.js'

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isUsable = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  return [username, password, pathname].every(isDecodable)
}

/** What stands before the hosts, the hosts with commas between them, and the rest. */
const parts = /^(mysql:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The URLs that `mysql://user:password@host:port,host:port/database` stands for, one for each host, in this order;
 * undefined for a text that is no such URL, or whose user, password or database cannot be percent-decoded.
 */
export const mysqlUrls = (text: string): readonly URL[] | undefined => {
  const [, before = '', hosts = '', after = ''] = parts.exec(text) ?? []
  if (before === '') return undefined
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  return urls.every(isUsable) ? urls.map((url) => new URL(url)) : undefined
}

const form =
  'must be sqlite:<file> or mysql://<user>:<password>@<host>:<port>/<database>, special characters' +
  ' percent-encoded; several hosts with commas between them'

/** As `databaseUrlFault`, of the URL of a database server. */
export const mysqlUrlFault = (text: string): string | undefined => {
  const urls = mysqlUrls(text) ?? []
  const [first] = urls
  if (first === undefined) return form
  if (!urls.every(({ hostname, pathname }) => hostname !== '' && /^\/[^/]+$/.test(pathname))) return form
  const parameters = mysqlParameters(first)
  return 'fault' in parameters ? parameters.fault : undefined
}
