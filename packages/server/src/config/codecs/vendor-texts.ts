import { isIP } from 'node:net'
import { mayBeAsked } from '@account-import/adapter-payment-vendor'
import * as t from 'io-ts'

const matching = (name: string, holds: (text: string) => boolean) => t.refinement(t.string, holds, name)

export const code = matching('a code of 1 to 64 characters', (text) => /^\S{1,64}$/.test(text))

export const variableName = matching('the name of an environment variable', (text) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
)

/** An empty list would match no answer, so that every instruction would be refused. */
export const someTexts = t.refinement(
  t.array(t.string),
  (texts) => texts.length > 0,
  'a list of at least one text',
)

const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])+)+$/.test(text)

export const fieldPath = matching('a path such as card.brand or /card/brand', (text) =>
  text.startsWith('/') ? isPointer(text) : /^[^.\s]+(\.[^.\s]+)*$/.test(text),
)

/** The expression as it is used: over the whole text. */
export const wholePattern = (text: string): RegExp => new RegExp(`^(?:${text})$`, 'u')

export const pattern = matching('a regular expression of at most 500 characters', (text) => {
  try {
    return text.length <= 500 && wholePattern(text).source !== ''
  } catch {
    return false
  }
})

/** Headers that only the adapter may set, as they belong to the connection. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'upgrade',
])

const mayBeSet = (header: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(header) && !ownHeaders.has(header.toLowerCase())

/** Which environment variable each header is taken from. */
export const headerVariables = t.refinement(
  t.record(t.string, variableName),
  (headers) => Object.keys(headers).every(mayBeSet),
  `headers other than ${[...ownHeaders].join(', ')}, with the names of environment variables`,
)

const parsed = (text: string): URL | undefined =>
  URL.canParse(text) && /^https?:\/\//.test(text) ? new URL(text) : undefined

/** Names of the own machine, and addresses that are not on the internet. */
const isPrivate = ({ hostname }: URL): boolean => {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  return isIP(host) === 0 ? /^localhost\.?$/.test(host) : !mayBeAsked(host, false)
}

const hasNoExtras = (url: URL): boolean => url.username === '' && url.password === '' && url.hash === ''

/** Requests carry credentials, so outside of private networks they have to be encrypted. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || isPrivate(url)

const hasNoPath = (url: URL): boolean => url.pathname === '/' && url.search === ''

export const vendorAddress = matching(
  'an address https://host:port without a path (http:// only for an address of the own network)',
  (text) => {
    const url = parsed(text)
    return url !== undefined && isSafe(url) && hasNoExtras(url) && hasNoPath(url)
  },
)

const withReference = (template: string, reference: string): URL | undefined =>
  parsed(template.replaceAll(/\{(reference|type)\}/g, reference))

/** The reference may choose what is asked of the vendor, but not which host is asked. */
export const templateAddress = matching(
  'an address that begins with https:// or http:// and holds {reference} in its path or query',
  (text) => {
    const url = withReference(text, 'a')
    const other = withReference(text, 'b')
    return (
      text.includes('{reference}') &&
      url !== undefined &&
      hasNoExtras(url) &&
      url.origin === other?.origin &&
      `${url.pathname}${url.search}` !== `${other.pathname}${other.search}`
    )
  },
)

/** Whether the template is asked without TLS, or at an address that is not on the internet. */
export const needsPrivateAddress = (template: string): boolean => {
  const url = withReference(template, 'a')
  return url !== undefined && (url.protocol === 'http:' || isPrivate(url))
}
