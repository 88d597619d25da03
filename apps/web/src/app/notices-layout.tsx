import { Outlet } from 'react-router';
import { Notices } from './notices.tsx';

/** Pages that raise notices; a notice outlives the step from one of them to the next. */
export function Component() {
  return (
    <Notices>
      <Outlet />
    </Notices>
  );
}
