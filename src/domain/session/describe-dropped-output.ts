/** How much of a program's output is missing, as a sentence for people. */
export function describeDroppedOutput(bytes: number, mayBeMore = false): string {
  if (bytes === 0) return 'some output was lost'
  const count = bytes === 1 ? '1 byte' : `${bytes} bytes`
  return mayBeMore
    ? `at least ${count} of output were lost`
    : `${count} of output ${bytes === 1 ? 'was' : 'were'} lost`
}
