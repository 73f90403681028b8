const WORDS: Readonly<Record<string, string>> = {
  discovery: 'planning',
  execution: 'working',
  convergence: 'landing',
  update: 'updating',
}

/** The phase of a cycle as people call it. The wire has names of its own, and a newer daemon may have more. */
export function phaseWords(phase: string): string {
  return WORDS[phase] ?? phase
}
