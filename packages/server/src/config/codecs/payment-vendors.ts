import { readFileSync } from 'node:fs'
import { E, type Either } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { notAcceptable, type NotAcceptable, textCodec } from './plain.js'
import { detailKeys, paymentVendorKinds, type VendorSettings } from './vendor-settings.js'
import { needsPrivateAddress } from './vendor-texts.js'

type Entry = Readonly<Record<string, unknown>>

/** Where the value is not as it has to be, and what was expected there. The value itself may be secret. */
const faultOf = (at: string, { context }: t.ValidationError): string => {
  const isMember = (index: number): boolean => context[index - 1]?.type instanceof t.IntersectionType
  const path = context.flatMap(({ key }, index) => (key === '' || isMember(index) ? [] : [key]))
  return `${[at, ...path].join('.')} must be ${context.at(-1)?.type.name ?? 'valid'}`
}

/** An unknown key is refused: it is a typing mistake, and what it was meant to set would be ignored. */
const unknownKeys = (at: string, entry: unknown, known: readonly string[]): readonly string[] =>
  t.UnknownRecord.is(entry) && Object.keys(entry).some((key) => !known.includes(key))
    ? [`${at} may have only ${known.join(', ')}`]
    : []

/** A vendor in a private network has to be allowed explicitly, as there may be other servers in that network. */
const unmeantPrivate = (at: string, vendor: VendorSettings): readonly string[] =>
  vendor.kind === 'http-json' && vendor.allow_private_address !== true && needsPrivateAddress(vendor.url)
    ? [`${at}.allow_private_address must be true for http:// and for addresses of the own network`]
    : []

const faultsOf = (at: string, entry: Entry): readonly string[] => {
  const kind = paymentVendorKinds.get(entry['kind'])
  if (kind === undefined) return [`${at}.kind must be one of ${[...paymentVendorKinds.keys()].join(', ')}`]
  const decoded = kind.codec.decode(entry)
  return [
    ...unknownKeys(at, entry, kind.keys),
    ...(kind.keys.includes('details') ? unknownKeys(`${at}.details`, entry['details'], detailKeys) : []),
    ...(decoded._tag === 'Left'
      ? decoded.left.map((error) => faultOf(at, error))
      : unmeantPrivate(at, decoded.right)),
  ]
}

const repeatedCodes = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ code }, index) =>
    typeof code === 'string' && entries.findIndex((other) => other['code'] === code) < index
      ? [`vendors.${index}.code is taken by a vendor before it`]
      : [],
  )

/** The vendors of the file, or everything that is wrong with them, by where it is; no value is quoted. */
const paymentVendorsIn = (
  entries: readonly Entry[],
): Either<readonly string[], readonly VendorSettings[]> => {
  const faults = entries.flatMap((entry, index) => faultsOf(`vendors.${index}`, entry))
  const all = [...faults, ...repeatedCodes(entries)]
  if (all.length > 0) return E.left([...new Set(all)])
  return E.right(
    entries.flatMap((entry) => {
      const decoded = paymentVendorKinds.get(entry['kind'])?.codec.decode(entry)
      return decoded?._tag === 'Right' ? [decoded.right] : []
    }),
  )
}

const sandbox: VendorSettings = { code: 'SANDBOX', kind: 'sandbox' }

const file = t.type({ vendors: t.array(t.UnknownRecord) })

const wrongFile = (fault: string): NotAcceptable =>
  notAcceptable(`must be SANDBOX, none or the path of a JSON file of payment vendors: ${fault}`)

/** The JSON of the file, boxed, as JSON may be anything. */
const jsonOf = (path: string): Readonly<{ json: unknown }> | NotAcceptable => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return notAcceptable('must be SANDBOX, none or the path of a JSON file that can be read')
  }
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return wrongFile('this one is no JSON')
  }
}

const readVendors = (path: string): readonly VendorSettings[] | NotAcceptable => {
  const read = jsonOf(path)
  if ('problem' in read) return read
  const content = file.decode(read.json)
  if (content._tag === 'Left' || content.right.vendors.length === 0)
    return wrongFile('it must hold {"vendors": [...]} with at least one object')
  const vendors = paymentVendorsIn(content.right.vendors)
  return vendors._tag === 'Left' ? wrongFile(vendors.left.join('; ')) : vendors.right
}

/** `SANDBOX` for the sandbox alone, `none`, or a JSON file that names the vendors. */
export const paymentVendors = textCodec<readonly VendorSettings[]>('paymentVendors', (text) => {
  if (text === 'none') return []
  return text === 'SANDBOX' ? [sandbox] : readVendors(text)
})
