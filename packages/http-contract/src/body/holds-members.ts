const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : values.length
  for (const one of values) members += membersIn(one)
  return members
}

/**
 * Whether a parsed value has as many members of objects as its text had. It has fewer when a key stood twice in one object, as
 * the parser of the runtime keeps only the last of them. Descends as deep as the value is nested.
 */
export const holdsMembers = (value: unknown, members: number): boolean => membersIn(value) === members
