/** Something that happens once, and can be waited for. */
export type Once = Readonly<{ happened: Promise<void>; happen(): void }>

export const once = (): Once => {
  let happen = (): void => undefined
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happened, happen: () => happen() }
}
