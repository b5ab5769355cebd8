import test from 'ava'
import { inNames, inNumbers, text } from '@account-import/core/testing'
import { withCustomers } from '../support/account-parts.js'
import { fc, holds } from '../support/properties.js'
import { codesOf, findInAccount } from './support.js'

const name = text(512, inNames)
const number = text(512, inNumbers)

const asLatin1 = new TextDecoder('windows-1252')

/** A text that was written in UTF-8 and is read as Windows-1252. */
const misread = (right: string): string => asLatin1.decode(new TextEncoder().encode(right))

/** European names of people and places, in their usual spelling and in capitals. */
const realNames =
  `Begoña Núñez Ibáñez|Peñíscola|João Conceição|São João da Madeira|Covilhã|Irmã Lúcia|Lousã|Maçã|Guimarães
|Âncora|Vila Praia de Âncora|Bâle|Château-Thérien|Noël Lefèvre|L’Haÿ-les-Roses|Îles d’Hyères|Ïnti|Eugène Œuvrard|Françoise Ça
|Ágata Ãngela|Ângelo Ávila|Ñandú|Logroño|A Coruña|Paral·lel|Sant Celoni n.º 4, 1.ª|Avinguda «Montseny»|Carrer “Major”|C/ L’Alzina
|Öztürk Şahin|Ağrı Dağı|İstanbul Çiçek|Jürgen Groß|Müller-Lüdenscheidt|Köln–Düsseldorf|Straße des 17. Juni|Åse Ødegård|Ærøskøbing
|Åland|Malmö|Luleå–Boden|Skellefteå|Ängelholm|Þórður Ægisson|Guðrún Ósk|Reykjavík|Siân Llŷr|Seán Ó Súilleabháin|Niamh Ní Dhomhnaill
|Łukasz Wiśniewski|Żółć|Dvořák Šimůnek|Ľudmila Žigová|Győző Székelyhídi|Ștefan Țepeș|Mâță Înțelept|Đorđe Kovačić|Žiga Šuštar
|Þingvellir|Mārtiņš Bērziņš|Žemaitė Šiaulių|Jõgeva Õie|Ġorġ Ħaż-Żebbuġ|Αθήνα Ελένη|Иван Петров|Юлия Ёлкина|Caffè dell’Università
|Lunedì Forlì|Là-bas|À la Rivière|È vero|Nîmes|Être|Zoë Citroën|Nancy Nani|Undine Unduraga|Nullens|Bernull
|Annullo|Nan Nan|NAN|Defined|Underfined|Nanna|Null7|X null1|naïve|O'Brien|d'Únic|Nº 5|3º B, esc. 2ª|½ Weg|Platz § 4|Haus 7 ° Nord
|JOSÉ|JOÃO|IRMÃ|COVILHÃ 12|COVILHÃ, LOUSÃ|(COVILHÃ)|«COVILHû|“COVILHÔ|COVILHÃ…|COVILHÃ – LISBOA|HALÂ|LÂM ÂU|ÂÂ|ÃÃ|CAFÈ|CAFFÈ™|Ñ|ÅS|Å|Ä
|Иванов Ñ|家 太郎|محمد|Анна-Мария|👩‍👩‍👧 Familie 🏠`
    .replaceAll('\n', '')
    .split('|')

test('European names and addresses get no warning, in any case and Unicode form', (t) => {
  t.true(realNames.length > 100)
  for (const right of realNames)
    for (const written of [right, right.toUpperCase(), right.toLowerCase()])
      for (const form of ['NFC', 'NFD'] as const) {
        const value = written.normalize(form)
        // In small letters the name Nan is a placeholder of programs.
        t.deepEqual(codesOf(name, value), value === 'nan' ? ['missing_value_as_text'] : [], value)
      }
})

test('a name in UTF-8 that is read as Windows-1252 or Latin-1 is found', (t) => {
  const names =
    'Núñez|Peña|José|García|Ibáñez|Lefèvre|Noël|Conceição|João|JOSÉ|MUÑOZ|ÁLVARO|ÓSCAR|Öztürk|Müller|Groß|Ødegård|Ærø|Łukasz|' +
    'Dvořák|Šimůnek|Győző|Ștefan|Țepeș|Kovačić|Αθήνα|Иванов|Şahin|O’Brien|4º 1ª|Paral·lel|À Valls|CATALUÑA|12 €|🏠|Català'
  for (const right of names.split('|')) {
    t.deepEqual(codesOf(name, misread(right)), ['wrongly_decoded_text'], misread(right))
    const latin1 = Buffer.from(right).toString('latin1')
    t.deepEqual(codesOf(name, latin1), ['wrongly_decoded_text'], latin1)
    const twice = misread(misread(right))
    t.deepEqual(codesOf(name, twice), ['wrongly_decoded_text'], twice)
  }
  for (const right of ['Muñoz', 'Peña', 'Cádiz'])
    t.deepEqual(codesOf(name, misread(right.normalize('NFD'))), ['wrongly_decoded_text'], right)
})

test('U+FFFD and control characters of Latin-1 are found anywhere in a text', (t) => {
  for (const wrong of ['\ufffd', '\u0080', '\u0085', '\u0092', '\u009f', 'ï¿½', 'ï»¿'])
    for (const value of [
      wrong,
      `${wrong}lvaro`,
      `Pe${wrong}a`,
      `Calle ${wrong}`,
      `👩${wrong}`,
      `${'a'.repeat(500)}${wrong}`,
    ])
      t.deepEqual(codesOf(name, value), ['wrongly_decoded_text'], JSON.stringify(value))
})

test('half of a character pair is an error of its own, and no wrong encoding', (t) => {
  for (const value of ['\ud83d', 'a\udc00', 'Ã\ud800'])
    t.deepEqual(codesOf(name, value), ['surrogate_characters_not_allowed'])
})

test('the texts of missing values are found alone and as words', (t) => {
  const wrong = 'undefined|Undefined|UNDEFINED|null|Null|NULL|NaN|[object Object]'.split('|')
  for (const missing of wrong) {
    const around = [
      missing,
      `${missing} Molina`,
      `Molina ${missing}`,
      `C/ ${missing}, 4`,
      `(${missing})`,
      `x\u00a0${missing}`,
    ]
    const joined = [
      `LEV-${missing}-1`,
      `a_${missing}`,
      `${missing}.${missing}`,
      `${'Molina '.repeat(60)}${missing}`,
      `ñ ${missing}`,
    ]
    for (const value of [...around, ...joined]) {
      t.deepEqual(codesOf(name, value), ['missing_value_as_text'], value)
      const seen = value.includes('\u00a0') ? ['rewritten_identifier'] : []
      t.deepEqual(codesOf(number, value), ['missing_value_as_text', ...seen], value)
    }
  }
})

test('a word that only contains such a text gets no warning', (t) => {
  const right =
    'undefinedMolina|nullable|annulled|Nullo|nullé|énull|null\u0301|NaNa|aNaN|Nan|NAN|object Object|unnull|1null'
  for (const value of right.split('|')) t.deepEqual(codesOf(name, value), [], value)
})

test('a text can have both faults, and a text in a number is only the missing value', (t) => {
  t.deepEqual(codesOf(name, 'undefined PeÃ±a'), ['missing_value_as_text', 'wrongly_decoded_text'])
  t.deepEqual(codesOf(number, 'undefined PeÃ±a'), ['missing_value_as_text'])
})

test('a text of plain letters, digits and signs never gets a warning unless it holds a missing value', (t) => {
  const part = fc.constantFrom(
    'Ana',
    'null',
    'ñ',
    ' ',
    '-',
    ' Ã',
    ' Ãos',
    '12',
    'undefined',
    'NaN',
    "'",
    'é',
    '.',
  )
  const words = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  holds(t, 2000, [words], (value) => {
    const isWord = value.split(/[^\p{L}\p{N}\p{M}]+/u).some((word) => /^(?:undefined|null|NaN)$/.test(word))
    return codesOf(name, value).join() === (isWord ? 'missing_value_as_text' : '')
  })
})

test('the warnings of an account are limited as all others are', (t) => {
  const many = Array.from({ length: 1500 }, () => ({ family_name: 'undefined PeÃ±a' }))
  const { warnings, errors } = findInAccount(withCustomers(...many))
  t.deepEqual([warnings.length, errors.length], [1001, 0])
  t.is(warnings.at(-1), ' too_many_warnings')
})
