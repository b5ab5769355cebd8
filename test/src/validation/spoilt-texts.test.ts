import test from 'ava'
import { inNames, inNumbers, key, text } from '@account-import/core/testing'
import { realNames } from './real-names.js'
import { codesOf } from './support.js'

const name = text(512, inNames)
const number = key(128, inNumbers)

/** The upper halves of code pages that a browser does not know. */
const dos437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const dos850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/** The Encoding Standard has these letters at 0x80 to 0x9f, where Node.js 20 decodes control characters. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const decoded = (page: string): string =>
  new TextDecoder(page).decode(Uint8Array.from({ length: 128 }, (_, at) => 128 + at))

const upperHalf = (page: string): string =>
  page === 'dos437'
    ? dos437
    : page === 'dos850'
      ? dos850
      : page === 'windows-1252'
        ? windows1252 + decoded('iso-8859-1').slice(windows1252.length)
        : decoded(page)

/** The bytes of a text in a code page; undefined if the page lacks one of its letters. */
const bytesIn = (page: string, right: string): Uint8Array | undefined => {
  if (page === 'utf-8') return new TextEncoder().encode(right)
  const half = upperHalf(page)
  const bytes = Array.from(right, (letter) => {
    const code = letter.codePointAt(0) ?? 0
    return code < 128 ? code : 128 + half.indexOf(letter)
  })
  return bytes.includes(127) ? undefined : Uint8Array.from(bytes)
}

const readAs = (page: string, bytes: Uint8Array): string => {
  if (page === 'utf-8') return new TextDecoder().decode(bytes)
  const half = upperHalf(page)
  return [...bytes]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : (half[byte - 128] ?? '')))
    .join('')
}

test('real names of six languages, and parts of addresses, get no warning', (t) => {
  const names = realNames()
  t.true(names.length > 5000, String(names.length))
  const warned = names.flatMap((right) =>
    [right, right.normalize('NFD'), right.toUpperCase(), right.toLowerCase()].flatMap((written) =>
      codesOf(name, written).map((code) => `${written}: ${code}`),
    ),
  )
  // In small letters the name Nan is a placeholder of programs.
  t.deepEqual(
    warned.filter((each) => !each.startsWith('nan:')),
    [],
  )
})

const western = ['windows-1252', 'macintosh', 'dos437', 'dos850']

test('names in one code page that were read in another one get a warning', (t) => {
  const names =
    'Muñoz|Núñez|José Peña|García|Álvarez|Ibáñez|Begoña|Mercè|Güell|François|Éloïse|Zúñiga|Iñaki|Martín|Jesús'.split(
      '|',
    )
  const missed: string[] = []
  let count = 0
  const look = (from: string, to: string, right: string): void => {
    const bytes = bytesIn(from, right)
    if (bytes === undefined) return
    const wrong = readAs(to, bytes)
    if (wrong === right) return
    count += 1
    if (!codesOf(name, wrong).includes('wrongly_decoded_text'))
      missed.push(`${from} as ${to}: ${right}: ${wrong}`)
  }
  for (const right of names) {
    for (const to of [
      ...western,
      'windows-1250',
      'windows-1251',
      'windows-1253',
      'windows-1254',
      'windows-1257',
      'ibm866',
      'koi8-r',
      'iso-8859-2',
      'iso-8859-15',
    ])
      for (const written of [right, right.toUpperCase()]) look('utf-8', to, written)
    for (const from of western) for (const to of [...western, 'utf-8']) look(from, to, right)
  }
  for (const right of ['Łódź', 'Żółć', 'Wiśniewski', 'Dąbrowski', 'Gołąb'])
    for (const to of western) look('utf-8', to, right)
  t.true(count > 400, String(count))
  // A wrong letter that occurs in names of another language cannot be detected, nor a wrong apostrophe.
  t.true(missed.length < count / 20, missed.join('\n'))
  for (const each of missed) t.regex(each, /: [\p{L}’ ]+$/u)
})

test('other marks of damaged texts get a warning: of EBCDIC, databases, HTML, JSON and URLs', (t) => {
  const wrong =
    'Mu¦oz|MU#OZ|Mu¥oz|MU¥OZ|¥AÑEZ|MU\\OZ|Mu|oz|M}ller|MU$OZ|Mu?oz|?lvaro|Mu¿oz|¿lvaro|Mu\ufffdoz|Mu□oz|Mu■oz|Mu\u001aoz|Mu\uf8ffoz|Mu~oz|MuÑoz|MUñOZ|' +
    'Mu&ntilde;oz|Mu&ntildeoz|Mu&#241;oz|Mu&#xF1;oz|Peña &amp; Hijos|A&nbsp;B|Mu\\u00f1oz|Mu\\xf1oz|Mu%F1oz|Mu%C3%B1oz|%C3%81lvaro|Mu=F1oz|=?utf-8?Q?Mu=C3=B1oz?=|O\u0092Brien|OÔÇÖBrien|O‚ÄôBrien|Ô¤\u0095–©|ÇÁÙÃÉÁ|4§ B'
  const texts = wrong
    .replace('Mu|oz', 'Mu\u0000oz')
    .split('|')
    .map((each) => each.replace('\u0000', '|'))
  for (const each of texts) t.deepEqual(codesOf(name, each), ['wrongly_decoded_text'], each)
})

test('marks of missing values and errors get a warning in names and in numbers', (t) => {
  const wrong =
    '\\N|(null)|<null>|[NULL]|{null}|NULL|nan|NaN|NaT|None|<NA>|(blank)|(en blanco)|(vacío)|<nil>|N/A|n/a|N/D|n/d|#N/A|#N/D|#REF!|#¡REF!|#VALUE!|#¡VALOR!|#NULL!|#¡NULO!|#NAME?|#¿NOMBRE?|#DIV/0!|' +
    '#¡DIV/0!|#NUM!|#VALEUR!|#NOM?|#WERT!|#BEZUG!|#NV|#NAZWA?|#ARG!|#SPILL!|#####|Err:502|DBNull|[object Undefined]|None Molina|Molina None|nan Molina|False|FALSE|false|García False|False García|García false|Calle \\N|[]|{}'
  for (const each of wrong.split('|')) {
    t.deepEqual(codesOf(name, each), ['missing_value_as_text'], each)
    t.true(codesOf(number, each).includes('missing_value_as_text'), each)
  }
})

test('identifiers that a spreadsheet rewrote get a warning, and others do not', (t) => {
  const wrong =
    '1.23E+15|1,23E+15|1E+15|1.23457e+11|1.0E15|-4E+5|10251.0|10251,00|10251.000|1025\u00a01|\ufeff10251|10251\u200b|\u200e10251|1\u00ad0|10251 | 10251|\'00123|="00123"|"00123"|102\ufffd51'
  for (const each of wrong.split('|')) t.deepEqual(codesOf(number, each), ['rewritten_identifier'], each)
  const right =
    "LEV-E-000456|ES0021000012345678LB1F|ES 0021 0000 1234 5678 LB|12E5|1E15|10251.1|10251-0|2.0|3.0TD|12.345.678|000123|Ñ-1|C-771904|1/2025|E+15|'s-Hertogenbosch"
  for (const each of right.split('|')) t.deepEqual(codesOf(number, each), [], each)
})
