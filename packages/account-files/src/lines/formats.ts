/** How a format begins, its name, and what makes its content readable. */
const formats: readonly (readonly [begin: string, name: string, remedy: string])[] = [
  [
    'PK\x03\x04',
    'a zip archive',
    'Unpack it first (unzip -p FILE). A spreadsheet is a zip archive too: save its sheet as CSV UTF-8.',
  ],
  ['PK\x05\x06', 'an empty zip archive', 'Export the file again.'],
  ['PK\x07\x08', 'a zip archive in parts', 'Join and unpack it first.'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', 'Unpack it first (zstd -dc FILE).'],
  ['BZh', 'compressed with bzip2', 'Unpack it first (bunzip2 -c FILE).'],
  ['\xfd7zXZ\x00', 'compressed with xz', 'Unpack it first (xz -dc FILE).'],
  ['LZIP\x01', 'compressed with lzip', 'Unpack it first (lzip -dc FILE).'],
  ['\x04\x22\x4d\x18', 'compressed with lz4', 'Unpack it first (lz4 -dc FILE).'],
  ['\x1f\x9d', 'compressed with compress', 'Unpack it first (uncompress -c FILE).'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', 'Unpack it first (7z x FILE).'],
  ['Rar!\x1a\x07', 'a rar archive', 'Unpack it first.'],
  ['\xd0\xcf\x11\xe0', 'an Excel workbook', 'Save its sheet as CSV UTF-8.'],
  ['PAR1\x15', 'a Parquet file', 'Export its rows as text.'],
]

/** Behind the size of a block: a block, or the end. */
const bzip2 = ['1AY&SY', '\x17rE8P\x90']

/** The encoding of two bytes a letter that bytes begin in, with a byte order mark or without. */
const utf16 = ([first, second]: Uint8Array): string | undefined => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && second !== undefined)
    ? 'utf-16be'
    : undefined
}

/**
 * The message about bytes that begin as no text in this encoding does: an archive, a workbook, or another encoding. Undefined for
 * anything else.
 */
export const formatFault = (bytes: Uint8Array, encoding = 'utf-8'): string | undefined => {
  const head = String.fromCharCode(...bytes.subarray(0, 64))
  const [, name, remedy] = formats.find(([begin]) => head.startsWith(begin)) ?? []
  if (name !== undefined && (!head.startsWith('BZh') || bzip2.some((magic) => head.startsWith(magic, 4))))
    return `The file is ${name}. ${remedy}`
  if (!encoding.startsWith('utf-16') && utf16(bytes) !== undefined)
    return `The file is in UTF-16 (${utf16(bytes)}). Save it as UTF-8 (iconv -f UTF-16 -t UTF-8 FILE > NEW).`
  return encoding !== 'utf-8' && head.startsWith('\xef\xbb\xbf')
    ? `The file begins with the byte order mark of UTF-8, and ${encoding} is declared. Declare encoding utf-8.`
    : undefined
}
