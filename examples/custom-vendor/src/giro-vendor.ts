import {
  boundedGet,
  VendorFailure,
  vendorConnection,
  type ClearAnswer,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'

export type GiroVendorOptions = Readonly<{
  /** Such as `https://giro.example`; one of the own network is refused unless the next says so. */
  origin: string
  allowPrivateAddress?: boolean
  /** GIRO's name for us. */
  member: string
}>

/** GIRO answers lines such as `state=signed`. Without a state it is not what was agreed. */
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
  // Never the whole account number: only what the details have room for.
  return { _tag: 'verified', details: { method: 'giro', last4: account.slice(-4), country, status } }
}

/**
 * GIRO, made up for this example: mandates for direct debits, told as lines of text, by a member's number in the path, all
 * of which no `http-json` vendor of the configuration could read. One try; the guard around it does the rest.
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
