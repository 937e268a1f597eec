import { change } from './api.js';
import { Icon } from './icon.js';
import { dropKept } from './answer-cache.js';

export function SignOut() {
  const leave = () => {
    dropKept();
    return change('/app/api/sign-out').then(
      () => location.assign('/signin'),
      () => location.reload(),
    );
  };
  return (
    <button type="button" class="nav-item" onClick={() => void leave()}>
      <Icon name="leave" />
      <span>Sign out</span>
    </button>
  );
}
