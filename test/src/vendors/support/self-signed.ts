import { generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const size =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), size, content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content)
const time = (text: string): Buffer => der(0x17, Buffer.from(text))

/** ecdsa-with-SHA256 */
const algorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const commonName = der(0x06, Buffer.from('550403', 'hex'))
const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('vendor.example')))))

/** A fresh key, and an X.509 certificate for it that nobody but itself has signed. */
export const selfSigned = (): Readonly<{ key: string; cert: string }> => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const validity = sequence(time('250101000000Z'), time('490101000000Z'))
  const info = publicKey.export({ type: 'spki', format: 'der' })
  const content = sequence(der(0x02, Buffer.from([1])), algorithm, name, validity, name, info)
  const certificate = sequence(content, algorithm, bits(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}
