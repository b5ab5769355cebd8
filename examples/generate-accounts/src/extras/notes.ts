import type { AccountPayload } from '@account-import/core'
import { dateOf } from '../calendar.js'
import type { Random } from '../random/random.js'

export type Note = NonNullable<AccountPayload['notes']>[number]

const bodies = [
  'Prefiere que se le llame por la tarde.',
  'Solicita la factura con el detalle del consumo por tramos.',
  'Comunica la lectura del contador por teléfono; coincide con la estimada.',
  'Pregunta por el cambio de potencia. Se le explica el plazo y el coste.',
  'Cambio de cuenta bancaria comprobado con el titular.',
  'Reclamación por factura elevada en invierno: se revisa la lectura, es correcta. El cliente queda conforme.',
  'Contrato firmado.',
  'Avisa de que pasará fuera los meses de verano.',
] as const

const papers = ['contrato', 'autorizacion', 'boletin', 'lectura', 'escrito'] as const

/** Pinned notes are unpinned a hundred days later. */
const pinning = (random: Random, day: number): Partial<Note> => {
  if (!random.chance(0.2)) return {}
  return random.chance(0.5)
    ? { is_pinned: true, unpin_at: `${dateOf(day + 100)}T08:00:00Z` }
    : { is_pinned: true }
}

const noteOf = (random: Random, number: string, day: number): Note => {
  const paper = random.pick(papers)
  return {
    body: random.pick(bodies),
    ...(random.chance(0.35) && {
      document_paths: [{ document_path: `notes/${number}/${dateOf(day)}-${paper}.pdf` }],
    }),
    created_at: `${dateOf(day)}T${random.between(10, 19)}:${random.between(10, 59)}:00Z`,
    ...pinning(random, day),
  }
}

/** Up to so many notes of days of the range, the earliest first. */
export const notesOf = (
  random: Random,
  number: string,
  { most, from, to }: Readonly<{ most: number; from: number; to: number }>,
): readonly Note[] =>
  Array.from({ length: random.below(most + 1) }, () => random.between(from, to))
    .sort((left, right) => left - right)
    .map((day) => noteOf(random, number, day))
