/** Plausible token counts, for programs that show them. */
export function inputTokensOf(body: unknown): number {
  return Math.max(1, Math.round(JSON.stringify(body).length / 4))
}

export const OUTPUT_TOKENS = 20
