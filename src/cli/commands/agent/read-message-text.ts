import { failure, type Result, success } from '../../../domain/result.ts'
import { EXIT } from '../../exit-code.ts'
import type { Problem } from '../../problem.ts'
import type { Surroundings } from '../../surroundings.ts'

/** More than the daemon takes, so that it is the one to say how much that is. */
const LIMIT_BYTES = 256 * 1024

/** The text of a message: the words themselves, or `-` for standard input. */
export async function readMessageText(
  needs: Pick<Surroundings, 'stdin'>,
  given: string,
): Promise<Result<string, Problem>> {
  if (given !== '-') return success(given)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of needs.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > LIMIT_BYTES) return failure(tooLarge())
    chunks.push(bytes)
  }
  return success(Buffer.concat(chunks).toString('utf8'))
}

function tooLarge(): Problem {
  return {
    type: 'message-too-large',
    exitCode: EXIT.usage,
    message: `standard input has more than ${LIMIT_BYTES} bytes`,
    next: 'put it into a file of the repository and name the file',
  }
}
