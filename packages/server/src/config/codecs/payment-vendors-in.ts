import { E, type Either } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { needsPrivateAddress } from './vendor-texts.js'
import { detailKeys, paymentVendorKinds, type VendorSettings } from './vendor-settings.js'

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
export const paymentVendorsIn = (
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
