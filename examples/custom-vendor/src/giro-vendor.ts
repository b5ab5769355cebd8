import {
  boundedGet,
  VendorFailure,
  vendorConnection,
  type ClearAnswer,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'

export type GiroVendorOptions = Readonly<{
  /** Such as `https://giro.example`; an address of the own network is refused unless the next option allows it. */
  origin: string
  allowPrivateAddress?: boolean
  /** The number of this member at GIRO. */
  member: string
}>

/** GIRO responds with lines such as `state=signed`. A response without a state is not of the agreed form. */
const linesOf = (body: string): ReadonlyMap<string, string> => {
  const pairs = body.split('\n').map((line) => line.split('=', 2) as [string, string?])
  const lines = new Map(pairs.map(([name, value = '']) => [name.trim(), value.trim()]))
  if (!lines.has('state')) throw new VendorFailure('form')
  return lines
}

const read = (body: string): ClearAnswer => {
  const lines = linesOf(body)
  const status = lines.get('state') ?? ''
  if (status === 'unknown') return { _tag: 'not_found' }
  if (status !== 'signed') return { _tag: 'not_usable' }
  const [account = '', country = ''] = [lines.get('account'), lines.get('country')]
  // Never the whole account number: only the digits of the details.
  return { _tag: 'verified', details: { method: 'giro', last4: account.slice(-4), country, status } }
}

/**
 * GIRO, a fictitious vendor: mandates for direct debits, as lines of text, with a member's number in the path, none of which an
 * `http-json` vendor of the configuration could read. Sends one request; the guard around it adds time limits and retries.
 */
export const giroVendor = ({
  origin,
  member,
  allowPrivateAddress = false,
}: GiroVendorOptions): VendorClient => {
  const { protocol, hostname, port } = new URL(origin)
  const secure = protocol === 'https:'
  const connection = vendorConnection({ allowPrivateAddress })
  return {
    code: 'GIRO',
    takesReference: (reference) => /^G-\d{1,12}$/.test(reference),
    ask: async ({ reference, type }, signal) => {
      if (type !== 'DIRECT_DEBIT') return { _tag: 'not_usable' }
      const { status, body } = await boundedGet(connection, {
        secure,
        host: hostname,
        port: port === '' ? (secure ? 443 : 80) : Number(port),
        path: `/members/${encodeURIComponent(member)}/mandates/${reference}`,
        headers: { accept: 'text/plain' },
        signal,
      })
      return status === 200 ? read(body) : { _tag: 'refused' }
    },
  }
}
