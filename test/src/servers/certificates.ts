import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './processes.js'

/** Files in PEM: an authority's certificate, and a server's certificate and key that it signed. */
export type Certificates = Readonly<{ authority: string; certificate: string; key: string }>

const days = ['-days', '2']
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A CA, and a server's certificate for the alternative names, such as `IP:127.0.0.1`; by openssl. */
export const makeCertificates = async (
  folder: string,
  name: string,
  alternativeNames: string,
): Promise<Certificates> => {
  const file = (part: string): string => join(folder, `${name}-${part}.pem`)
  const [authority, authorityKey, certificate, key] = [file('ca'), file('ca-key'), file('cert'), file('key')]
  const [request, extensions] = [file('request'), file('extensions')]
  const openssl = (...args: readonly string[]): Promise<void> => runCommand('openssl', args)
  const subject = ['-subj', `/CN=${name}`]
  await openssl('req', '-x509', ...newKey, ...days, ...subject, '-keyout', authorityKey, '-out', authority)
  await openssl('req', ...newKey, ...subject, '-keyout', key, '-out', request)
  writeFileSync(extensions, `subjectAltName=${alternativeNames}\n`)
  const signing = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-extfile', extensions]
  await openssl('x509', '-req', '-in', request, ...signing, ...days, '-out', certificate)
  // A server that runs as another user reads them too; the key is good for this test alone.
  chmodSync(folder, 0o755)
  chmodSync(key, 0o644)
  return { authority, certificate, key }
}
