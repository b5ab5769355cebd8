/**
 * `aik_` + key id (12 hexadecimal digits) + `_` + 256 random bits (43 characters) + checksum (8 hexadecimal
 * digits). By the checksum a scanner or a form distinguishes a mistyped key from a wrong one without a store.
 */
type ApiKey = Readonly<{ id: string; secret: string }>

const form = /^aik_([0-9a-f]{12})_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/

/** CRC-32 (IEEE), bit by bit: keys are short and rare. */
const crc32 = (text: string): string => {
  let crc = ~0
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return (~crc >>> 0).toString(16).padStart(8, '0')
}

const body = ({ id, secret }: ApiKey): string => `aik_${id}_${secret}`

export const apiKeyText = (key: ApiKey): string => `${body(key)}${crc32(body(key))}`

/** The parts of a key, or `undefined` if the text is no key. */
export const parseApiKey = (text: string): ApiKey | undefined => {
  const [, id, secret, checksum] = form.exec(text) ?? []
  if (id === undefined || secret === undefined) return undefined
  return checksum === crc32(body({ id, secret })) ? { id, secret } : undefined
}

/** An id of at most `length` letters and digits, from a random secret: safe in addresses and headers without quoting. */
export const idFrom = (secret: string, length: number): string =>
  secret.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, length)
