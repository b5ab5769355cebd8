import { readFileSync } from 'node:fs'
import * as t from 'io-ts'
import { paymentVendorKinds, type PaymentVendorEntry } from './payment-vendor-entry.js'
import { notAcceptable, textCodec, type NotAcceptable } from './text-codec.js'

const sandbox: PaymentVendorEntry = { code: 'SANDBOX', kind: 'sandbox' }

const file = t.type({ vendors: t.array(t.UnknownRecord) })

const wrongFile = (fault: string): NotAcceptable =>
  notAcceptable(`must be SANDBOX or the path of a JSON file of payment vendors: ${fault}`)

/** The JSON of the file, boxed, as JSON may be anything. */
const jsonOf = (path: string): Readonly<{ json: unknown }> | NotAcceptable => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return notAcceptable('must be SANDBOX or the path of a JSON file that can be read')
  }
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return wrongFile('this one is no JSON')
  }
}

/** Where the value is not as it has to be, and what was expected there. The value itself may be secret. */
const faultOf = (place: string, errors: t.Errors): string => {
  const error = errors[0]
  const context = error?.context ?? []
  const isMember = (index: number): boolean => context[index - 1]?.type instanceof t.IntersectionType
  const path = context.flatMap(({ key }, index) => (key === '' || isMember(index) ? [] : [key]))
  return `${[place, ...path].join('.')} must be ${context.at(-1)?.type.name ?? 'valid'}`
}

const vendorOf = (entry: Readonly<Record<string, unknown>>, index: number) => {
  const codec = paymentVendorKinds.get(entry['kind'])
  if (codec === undefined)
    return wrongFile(`vendors.${index}.kind must be one of ${[...paymentVendorKinds.keys()].join(', ')}`)
  const vendor = codec.decode(entry)
  return vendor._tag === 'Right' ? vendor.right : wrongFile(faultOf(`vendors.${index}`, vendor.left))
}

const readVendors = (path: string): readonly PaymentVendorEntry[] | NotAcceptable => {
  const read = jsonOf(path)
  if ('problem' in read) return read
  const content = file.decode(read.json)
  if (content._tag === 'Left' || content.right.vendors.length === 0)
    return wrongFile('it must hold {"vendors": [...]} with at least one object')
  const vendors: PaymentVendorEntry[] = []
  for (const [index, entry] of content.right.vendors.entries()) {
    const vendor = vendorOf(entry, index)
    if ('problem' in vendor) return vendor
    if (vendors.some(({ code }) => code === vendor.code))
      return wrongFile(`vendors.${index}.code is taken by a vendor before it`)
    vendors.push(vendor)
  }
  return vendors
}

/** `SANDBOX` for the sandbox alone, or a JSON file that names the vendors: decisions, section 9. */
export const paymentVendors = textCodec<readonly PaymentVendorEntry[]>('paymentVendors', (text) =>
  text === 'SANDBOX' ? [sandbox] : readVendors(text),
)
