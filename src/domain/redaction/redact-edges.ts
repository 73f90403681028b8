/** Where a text was cut out of a longer one. */
export type CutEdges = { readonly start: boolean; readonly end: boolean }

/** Fewer characters of a secret at an edge are kept: they reveal little, and many harmless texts contain them. */
const LEAST_PART = 4

/** Replaces the end of a secret at the start of a cut text, and the start of a secret at its end. */
export function redactEdges(text: string, names: ReadonlyMap<string, string>, edges: CutEdges): string {
  const end = edges.end ? longestPart(names, (form) => startAtEnd(text, form)) : undefined
  const body = end === undefined ? text : text.slice(0, -end.length)
  const start = edges.start ? longestPart(names, (form) => endAtStart(body, form)) : undefined
  return `${nameOf(start)}${start === undefined ? body : body.slice(start.length)}${nameOf(end)}`
}

type Part = { readonly length: number; readonly name: string }

function nameOf(part: Part | undefined): string {
  return part === undefined ? '' : `[redacted:${part.name}]`
}

function longestPart(
  names: ReadonlyMap<string, string>,
  lengthOf: (form: string) => number,
): Part | undefined {
  let longest: Part | undefined
  for (const [form, name] of names) {
    const length = lengthOf(form)
    if (length > (longest?.length ?? 0)) longest = { length, name }
  }
  return longest
}

/** How many characters of the form's start the text ends with. */
function startAtEnd(text: string, form: string): number {
  const least = form.slice(0, LEAST_PART)
  let at = text.indexOf(least, text.length - form.length + 1)
  while (at !== -1 && !form.startsWith(text.slice(at))) at = text.indexOf(least, at + 1)
  return at === -1 ? 0 : text.length - at
}

/** How many characters of the form's end the text starts with. */
function endAtStart(text: string, form: string): number {
  const head = text.slice(0, form.length - 1)
  const least = form.slice(-LEAST_PART)
  let at = head.lastIndexOf(least)
  while (at !== -1 && !form.endsWith(head.slice(0, at + LEAST_PART)))
    at = at === 0 ? -1 : head.lastIndexOf(least, at - 1)
  return at === -1 ? 0 : at + LEAST_PART
}
