import { describeConversation } from './describe-conversation.ts'
import { describeWork } from './describe-work.ts'
import { opencode } from './programs/opencode.ts'

describeConversation('opencode', opencode)
describeWork('opencode', opencode)
