/** About as many tokens as a real model would count, so that programs that show them have something to show. */
export function inputTokensOf(body: unknown): number {
  return Math.max(1, Math.round(JSON.stringify(body).length / 4))
}

export const OUTPUT_TOKENS = 20
