import { readFileSync } from 'node:fs'
import * as t from 'io-ts'
import { paymentVendorsIn } from './payment-vendors-in.js'
import type { VendorSettings } from './vendor-settings.js'
import { notAcceptable, textCodec, type NotAcceptable } from './text-codec.js'

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
