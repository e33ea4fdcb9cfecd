package command

import "github.com/spf13/cobra"

func (a *app) interfaceCommand(cmd *cobra.Command, _ []string) error {
	cmd.SetOut(a.err)
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNeedsTerminal
}
