const index = /(^|\.)\d+(?=\.|$)/g

/** The path of a field for all items of its lists: `customers.0.landline` is `customers[].landline`. */
export const fieldOf = (attr: string): string => attr.replaceAll(index, '[]')
