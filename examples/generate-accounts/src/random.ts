import { faker } from '@faker-js/faker/locale/es'

/** The source of everything random. Each account has its own seed. */
export { faker }

/** A whole number of the range, both ends included. */
export const between = (min: number, max: number): number => faker.number.int({ min, max })

/** True with this probability, 0 to 1. */
export const chance = (probability: number): boolean => faker.datatype.boolean(probability)

/** One of the items, of which there is at least one. */
export const pick = <const A>(items: readonly A[]): A => faker.helpers.arrayElement(items)

/** A text of so many decimal digits. */
export const digits = (length: number): string => faker.string.numeric(length)
