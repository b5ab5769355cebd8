/** For an option that may be given several times: keeps every value in order. */
export const collected =
  <A>(read: (text: string) => A) =>
  (text: string, previous: readonly A[] | undefined): readonly A[] => [...(previous ?? []), read(text)]
