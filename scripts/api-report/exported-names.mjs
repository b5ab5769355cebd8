/** All names that the entries export, from the TypeScript program that api-extractor compiled. */
export const namesExportedBy = (entries, program) => {
  const checker = program.getTypeChecker()
  return new Set(
    entries
      .map(({ types }) => checker.getSymbolAtLocation(program.getSourceFile(types)))
      .flatMap((module) => checker.getExportsOfModule(module))
      .map(({ name }) => name),
  )
}
